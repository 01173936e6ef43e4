class ItemsController < ApplicationController
  def show
    User.where("name = '#{params[:name]}'") # ← here
  end
end
