class ItemsController < ApplicationController
  def show
    User.create!(params.require(:user).permit!) # ← here
  end
end
