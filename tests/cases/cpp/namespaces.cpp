namespace a {
namespace b::c { void f(); }
namespace { int hidden; }
inline namespace v1 { class K; struct S {}; }
}
namespace fs = std::filesystem;
using namespace std;
using std::vector;
