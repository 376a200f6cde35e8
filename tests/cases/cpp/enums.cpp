/// Plain.
enum Old { A, B = 2 };
enum class New : unsigned char { C, D };
enum { LOOSE };
class K {
  enum State { On, Off } state;
};
