class ItemsController < ApplicationController
  def show
    @rate = HTTParty.get(ENV.fetch("RATES_URL"), query: { code: params[:code] })
  end
end
