using System;
using System.Collections.Generic;
using static System.Math;
using Table = System.Collections.Generic.Dictionary<string, int>;

namespace Shop.Orders
{
    /// <summary>How far an order is.</summary>
    [Flags]
    public enum Stage : byte { Open, Paid = 2, [Obsolete] Sent = 4 }

    public delegate void Changed<T>(object sender, T value);

    /// <summary>What can be priced.</summary>
    public interface IPriced
    {
        decimal Price { get; }
        decimal PriceFor(int count);
    }

    public readonly struct Money : IEquatable<Money>
    {
        public readonly long Cents;
        public Money(long cents) => Cents = cents;
        public static Money operator +(Money left, Money right) => new Money(left.Cents + right.Cents);
        public static implicit operator long(Money money) => money.Cents;
        public bool Equals(Money other) => Cents == other.Cents;
    }

    public record Line(string Product, int Count = 1) : Entry(Product)
    {
        public int Weight { get; init; } = 3;
    }

    /// <summary>
    /// An order of a customer.
    /// </summary>
    [Serializable]
    public abstract partial class Order<TLine> : Entity<Guid>, IPriced, Audit.ITracked
        where TLine : Line, new()
    {
        private const int Limit = 10, Minimum = 1;
        private static readonly Table Prices = new Table { ["tea"] = 3 };
        private readonly List<TLine> _lines = new();
        private Func<TLine, decimal> _weigh = line => line.Count * 2m;
        private int _total, _count = 0;

        public event Changed<Stage> StageChanged;
        public event EventHandler Closed
        {
            add { _closed += value; }
            remove { _closed -= value; }
        }

        static Order() { Prices.Add("milk", 1); }

        /// <summary>Makes an order.</summary>
        protected Order(Guid id, params TLine[] lines) : base(id)
        {
            _lines.AddRange(lines);
        }

        ~Order() { Dispose(false); }

        public Stage Stage { get; private set; } = Stage.Open;

        public decimal Price => _lines.Sum(line => _weigh(line));

        public int Total
        {
            get { return _total; }
            set
            {
                if (value < 0) throw new ArgumentException($"bad total: {value:N2}  now");
                _total = value;
            }
        }

        public TLine this[int index]
        {
            get => _lines[index];
            set => _lines[index] = value;
        }

        public abstract decimal PriceFor(int count);

        void IDisposable.Dispose() => Dispose(true);

        public async Task<int> Pay<TMethod>(TMethod method, ref int left, out string note, int tries = 3)
        {
            const string Greeting = @"paid  ""now""";
            int paid = 0, open;
            var (first, last) = Ends();
            note = null;
            foreach (var line in _lines)
            {
                for (int i = 0; i < tries; i++) paid += line?.Count ?? 0;
            }
            try
            {
                using (var stream = Open(Greeting)) { await stream.Write(paid); }
            }
            catch (TimeoutException error) when (error.Retry)
            {
                Log.Warn(error.Message);
            }
            finally
            {
                this.Stage = Stage.Paid;
            }
            switch (method)
            {
                case Card card when card.Valid:
                    counts[paid]++;
                    break;
                default:
                    left -= Max(paid, 1);
                    break;
            }
            int Twice(int value) => value * 2;
            Action<int> report = value => { Console.WriteLine(value); };
            StageChanged?.Invoke(this, Stage);
            lock (_lines) { while (paid > Limit) paid--; }
            if (int.TryParse(note, out var parsed) && method is Cash { Change: var change }) report(parsed);
            else if (first == null) report(Twice(paid));
            else report(0);
            var names = from line in _lines where line.Count > 1 select line.Product;
            return paid switch { 0 => -1, _ => paid };
        }

        private sealed class Cache { internal int Hits; }
    }
}
