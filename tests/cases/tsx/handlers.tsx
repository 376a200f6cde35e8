function Toggle() {
  const flip = () => {};
  return <input onChange={flip} onBlur={function done() {}} />;
}
