class ItemsController < ApplicationController
  def show
    path = File.join(Rails.root, "reports", params[:report])
    @text = File.read(path) # ← here
  end
end
