class ItemsController < ApplicationController
  def show
    @user.send(:reload)
    @items = Item.send(:visible, params[:page])
  end
end
