class ItemsController < ApplicationController
  def show
    sort = params[:sort]
    @items = Item.order("#{sort} desc") # ← here
  end
end
