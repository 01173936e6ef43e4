-- holds_settled_by_org replaces it.
drop index concurrently if exists holds_of_quoted_work_by_org;
