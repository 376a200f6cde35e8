import { Row } from './row';

export function Table({ rows, onPick }) {
  return (
    <table className="wide  table">
      {rows.map((row) => <Row key={row.id} {...row} onClick={() => onPick(row)} />)}
      <Layout.Footer>
        in all, {rows.length}
      </Layout.Footer>
    </table>
  );
}
