class ItemsController < ApplicationController
  def show
    @cart = JSON.parse(cookies[:cart])
  end
end
