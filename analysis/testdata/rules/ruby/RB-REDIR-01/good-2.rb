class ItemsController < ApplicationController
  def show
    redirect_to items_path(page: params[:page])
    redirect_to params[:to], allow_other_host: false
  end
end
