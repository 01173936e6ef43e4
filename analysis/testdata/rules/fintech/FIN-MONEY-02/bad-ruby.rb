class TopUpsController < ApplicationController
  def create
    amount = params[:amount].to_f # ← here
    Paystack::Transactions.new(client).initialize_transaction(amount: amount, email: current_user.email)
  end
end
