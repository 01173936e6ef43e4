class ItemsController < ApplicationController
  def show
    Pathname.new(params[:file]).read # ← here
  end
end
