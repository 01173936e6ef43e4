class ItemsController < ApplicationController
  def show
    @user = User.find(params[:id])
    @user.update(params[:user].permit!) # ← here
  end
end
