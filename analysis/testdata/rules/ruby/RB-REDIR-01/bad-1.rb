class ItemsController < ApplicationController
  def show
    redirect_to params[:return_to] # ← here
  end
end
