// A small cache of parsed documents.
#include <algorithm>
#include <memory>
#include <string>
#include "store/document.hpp"

#define STORE_CHECK(condition) \
  if (!(condition)) throw std::logic_error("check  failed: " #condition)

namespace store::cache {

using std::string;
namespace chrono = std::chrono;

/// How a lookup ended.
enum class Outcome : int { Hit, Miss = 2 };

template <typename T>
concept Keyed = requires(const T& value) { value.key(); };

using Clock = chrono::steady_clock;
template <typename K>
using Shelf = std::vector<std::pair<K, int>>;

namespace {
constexpr int kShelves = 4;
const std::string kName{"cache"};
int counter = 0;

int next_id() { return ++counter; }
}  // namespace

/// The part that all caches share.
class Base {
 public:
  virtual ~Base() = default;
  virtual Outcome find(const string& key) const = 0;
};

/**
 * Keeps what was used last.
 */
template <Keyed T, int Size = 16>
class [[nodiscard]] Cache final : public Base, private detail::Listeners<T> {
 public:
  using value_type = T;
  typedef std::unique_ptr<T> pointer;
  static constexpr int kSize = Size;
  static int instances;

  /// Makes an empty cache.
  explicit Cache(int limit = kSize) : limit_(limit), name_{kName} {}
  Cache(const Cache&) = delete;
  Cache& operator=(Cache&& other) noexcept;
  ~Cache() override;

  Outcome find(const string& key) const override {
    for (const auto& [name, place] : shelf_) {
      if (name == key) return Outcome::Hit;
    }
    return Outcome::Miss;
  }

  template <typename... Args>
  T& emplace(const string& key, Args&&... args);

  T& operator[](std::size_t index) { return *items_[index]; }
  explicit operator bool() const { return !items_.empty(); }

  friend std::ostream& operator<<(std::ostream& out, const Cache& self) { return out << self.name_; }

 protected:
  struct Entry {
    string key;
    int uses = 0;
  };

 private:
  [[maybe_unused]] mutable int hits_ = 0, misses_{0};
  std::function<bool(const Entry&)> keep_ = [](const Entry& entry) { return entry.uses > 1; };
  std::vector<pointer> items_;
  Shelf<string> shelf_;
  int limit_;
  string name_;
};

template <Keyed T, int Size>
int Cache<T, Size>::instances = 0;

template <Keyed T, int Size>
Cache<T, Size>::~Cache() {
  --instances;
}

template <Keyed T, int Size>
template <typename... Args>
T& Cache<T, Size>::emplace(const string& key, Args&&... args) {
  std::lock_guard<std::mutex> lock(mutex_);
  STORE_CHECK(limit_ > 0);
  auto made = std::make_unique<T>(std::forward<Args>(args)...);
  auto older = [this, limit = limit_](const Entry& left, const Entry& right) {
    return left.uses < right.uses && limit;
  };
  try {
    if (auto spot = std::find(shelf_.begin(), shelf_.end(), key); spot != shelf_.end()) {
      spot->second++;
    } else {
      items_.push_back(std::move(made));
    }
  } catch (const std::bad_alloc& error) {
    report(error.what());
    throw;
  }
  switch (limit_) {
    case 0:
      this->hits_ = static_cast<int>(items_.size());
      break;
    default:
      do {
        slots[limit_] = new Entry{key, 1};
      } while (false);
  }
  while (items_.size() > Size) std::sort(items_.begin(), items_.end(), [](auto& a, auto& b) { return a < b; });
  return *items_.back();
}

}  // namespace store::cache

extern "C" int cache_version(void) { return 3; }
