class ItemsController < ApplicationController
  def show
    direction = case params[:dir]
                when "up" then "asc"
                else "desc"
                end
    Item.order("name #{direction}")
  end
end
