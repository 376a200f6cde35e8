-- What is counted of every extraction of a snapshot, beside the table: its rows hold outlines and sources, which are passed over
-- page by page wherever something behind them is read.

CREATE INDEX extraction_counts ON extractions (extraction, n_entities, n_chunks, n_edges, notes);
