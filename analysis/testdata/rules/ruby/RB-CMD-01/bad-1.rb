class ItemsController < ApplicationController
  def show
    system("convert #{params[:file]} out.png") # ← here
  end
end
