export function Before() {
  return <p />;
}

const Bad = () => {
  return <p>{1 + }</p>;
};

export function After({ name }: { name: string }) {
  return <Hello name={name} />;
}
