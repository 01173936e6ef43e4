class ProxyController < ApplicationController
  HOSTS = %w[api.example.com].freeze

  def show
    uri = URI.parse(params[:url])
    return head(:bad_request) unless HOSTS.include?(uri.host)

    render plain: Net::HTTP.get(uri)
  end
end
