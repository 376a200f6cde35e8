export default function App() {
  return <Main />;
}
