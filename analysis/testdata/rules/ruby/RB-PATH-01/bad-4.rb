class ItemsController < ApplicationController
  def show
    FileUtils.rm_rf("tmp/#{params[:folder]}") # ← here
  end
end
