"""References that lead from one repository into another one."""
