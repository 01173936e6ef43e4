-- What metrics are read by: money of a time, of one organisation or of each in its turn, from the index alone. Reserving and
-- releasing change nothing that a customer owns and are not in it.
create index movements_by_time on movements (org_id, created_at) include (source, account, free_minor, held_minor)
  where free_minor + held_minor <> 0;

-- What allowances paid for.
create index holds_by_allowance on holds (org_id, ended_at) include (charged_included_minor) where charged_included_minor > 0;

-- What waits for a decision of our own people.
create index payments_in_review on payments (created_at) where status = 'review';
