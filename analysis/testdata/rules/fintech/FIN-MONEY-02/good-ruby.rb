class TopUpsController < ApplicationController
  def create
    amount = Integer(params[:amount])
    Paystack::Transactions.new(client).initialize_transaction(amount: amount, email: current_user.email)
  end
end
