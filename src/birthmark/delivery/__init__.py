"""Send what a scan found to where it is wished for."""
