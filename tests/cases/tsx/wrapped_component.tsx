const Input = forwardRef<HTMLInputElement, Props>(function Input(props, ref) {
  return <input ref={ref} {...props} />;
});
const Lazy = lazy(() => import('./lazy'));
