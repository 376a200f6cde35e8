import React, { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from './button';

export interface Props<T> {
  rows: T[];
  title?: string;
  render(row: T): ReactNode;
  onPick: (row: T) => void;
}

const PAGE = 20;

/** A list that loads as it is scrolled. */
export function List<T extends { id: string }>({ rows, title = 'Rows', render, onPick }: Props<T>) {
  const [page, setPage] = useState(0);
  const visible = rows.slice(0, (page + 1) * PAGE);

  useEffect(() => {
    function onScroll(event: Event) {
      setPage((before) => before + 1);
    }
    window.addEventListener('scroll', onScroll);
    return () => window.removeEventListener('scroll', onScroll);
  }, []);

  const pick = (row: T) => {
    onPick(row);
  };

  if (!rows.length) {
    return <Empty />;
  }
  return (
    <section className="list  wide">
      <h2>{title}, in all {rows.length}</h2>
      {visible.map((row) => (
        <Row.Item key={row.id} onClick={() => pick(row)}>
          {render(row)}
        </Row.Item>
      ))}
      <Button<T> label="more" onClick={() => setPage(page + 1)} />
    </section>
  );
}

const Empty = () => <p>Nothing  here</p>;

export const Memo = React.memo(function Row({ text }: { text: string }) {
  return <li>{text}</li>;
});

export class Boundary extends React.Component<{ children: ReactNode }, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  handle = (error: Error): void => {
    this.state.failed = true;
  };

  render() {
    return this.state.failed ? <Empty /> : this.props.children;
  }
}

export default List;
