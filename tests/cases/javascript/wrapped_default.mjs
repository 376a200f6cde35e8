// Remembers what it has seen.
export default memo(function Table(props) {});
