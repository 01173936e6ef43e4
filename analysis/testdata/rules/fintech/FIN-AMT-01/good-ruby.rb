class CheckoutsController < ApplicationController
  def create
    order = Order.find(params[:order_id])
    HTTParty.post("https://api.paystack.co/transaction/initialize", body: { email: order.email, amount: order.total_minor })
  end
end
