-- Automatic top-up also pauses when the person behind it has left.
alter table automatic_topups drop constraint automatic_topups_paused_reason_check;
alter table automatic_topups add constraint automatic_topups_paused_reason_check check (paused_reason in
  ('card_declined', 'bank_confirmation', 'card_unusable', 'payment_disputed', 'currency_changed', 'no_answer', 'member_left'));
