-- Added in 0087.
alter table payment_cases validate constraint payment_cases_kind_check;
