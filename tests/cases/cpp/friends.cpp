class K {
  /// Prints it.
  friend std::ostream& operator<<(std::ostream& out, const K& k) { return out; }
  friend void helper(K& k);
  friend class Other;
};
