class WebhooksController < ApplicationController
  def create
    expected = OpenSSL::HMAC.hexdigest("SHA512", key, request.raw_post)
    head :unauthorized unless OpenSSL.secure_compare(expected, request.headers["x-paystack-signature"])
  end
end
