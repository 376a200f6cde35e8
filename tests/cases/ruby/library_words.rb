# Words of libraries that define members.
class Shop < T::Struct
  # What it is called.
  prop :name, String
  const :town, T.nilable(String), default: nil
  attribute :size, :integer
  belongs_to :street
  has_many :items, -> { order(:price) }
  enum :status, { open: 0, closed: 1 }
  enum kind: [:small, :large]
  scope :open_now, -> { where(open: true) }
  class_attribute :limit, :margin
  store_accessor :settings, :color, :font
  delegate :empty, :count, to: :till
  delegate :sum, to: :till, prefix: true
  delegate :max, to: :till, prefix: :desk
  def_delegators :@spare, :first, :last
  def_delegator :@spare, :push, :add
  alias_attribute :title, :name

  concerning :Pricing do
    field :price, type: Integer
  end

  def local
    field :unknown
    scope :unknown
  end
end

field :outside
