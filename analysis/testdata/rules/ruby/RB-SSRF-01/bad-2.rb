class ItemsController < ApplicationController
  def show
    @feed = Faraday.get(params[:feed]).body # ← here
  end
end
