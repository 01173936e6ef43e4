class ItemsController < ApplicationController
  def show
    @page = Net::HTTP.get(URI.parse(params[:url])) # ← here
  end
end
