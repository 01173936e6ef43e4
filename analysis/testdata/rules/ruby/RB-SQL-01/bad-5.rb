class ItemsController < ApplicationController
  def show
    Item.order(Arel.sql(params[:sort])) # ← here
  end
end
