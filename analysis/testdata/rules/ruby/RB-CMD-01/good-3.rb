class ItemsController < ApplicationController
  def show
    size = params[:size].to_i
    system("convert -resize #{size} in.png out.png")
  end
end
