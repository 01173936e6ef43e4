class PaystackWebhooksController < ApplicationController
  before_action :check_signature

  def create
    event = JSON.parse(request.body.read)
    Wallet.find_by!(reference: event["data"]["reference"]).update!(paid: true)
    head :ok
  end

  private

  def check_signature
    expected = OpenSSL::HMAC.hexdigest("SHA512", ENV.fetch("PAYSTACK_SECRET"), request.raw_post)
    given = request.headers["x-paystack-signature"].to_s
    head :unauthorized unless ActiveSupport::SecurityUtils.secure_compare(expected, given)
  end
end
