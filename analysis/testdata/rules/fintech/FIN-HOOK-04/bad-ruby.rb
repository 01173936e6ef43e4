class WebhooksController < ApplicationController
  def create
    expected = OpenSSL::HMAC.hexdigest("SHA512", key, request.raw_post)
    head :unauthorized if expected != request.headers["x-paystack-signature"] # ← here
  end
end
