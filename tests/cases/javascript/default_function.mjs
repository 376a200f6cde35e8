// Adds two numbers.
export default function (a, b) {
  return a + b;
}
