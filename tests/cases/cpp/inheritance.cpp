class D : public B, private virtual ns::C, protected T<int>, public ns::U<D> {};
struct E : D {};
class EXPORT_API F : public D {
 public:
  void shown();
};
