class ItemsController < ApplicationController
  def show
    @user.public_send(params[:field]) # ← here
  end
end
