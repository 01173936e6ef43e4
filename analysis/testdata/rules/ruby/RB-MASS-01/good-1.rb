class ItemsController < ApplicationController
  def show
    User.create!(params.require(:user).permit(:name, :email))
  end
end
