export const Label = ({ text }: { text: string }) => <b>{text}</b>;
