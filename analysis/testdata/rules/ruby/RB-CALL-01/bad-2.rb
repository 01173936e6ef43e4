class ItemsController < ApplicationController
  def show
    @item = Item.find(params[:id])
    @item.send(params[:event]) # ← here
  end
end
