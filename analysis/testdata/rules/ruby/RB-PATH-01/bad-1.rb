class ItemsController < ApplicationController
  def show
    send_file "uploads/#{params[:name]}" # ← here
  end
end
