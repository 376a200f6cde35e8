API Widget make(int size) { return Widget(size); }
API std::string name(const Widget&);
class API Widget {
 public:
  virtual int draw() = 0;
  Widget& operator=(const Widget&) = delete;
  int width;
};
int plain() NOEXCEPT { return 1; }
struct Guard {
  int hold(int level) NOEXCEPT { return level; }
};
