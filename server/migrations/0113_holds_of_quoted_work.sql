-- holds_settled replaces it.
drop index concurrently if exists holds_of_quoted_work;
