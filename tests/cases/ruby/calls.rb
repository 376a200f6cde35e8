puts "hello"
Shop::Cart.new(1).add Item.new
cart&.checkout!
Math::sqrt(4)
Integer("3")
handler.(1)
list.map(&:name).select { |name| name.size > 2 }
self.class.new
class Cart < Base
  validates :items, presence: true
  private
  def total(*)
    prepare
    super + items.sum
  end
  def reset = super
  def clear
    super(true)
  end
end
